// Lets a test read the traffic of the shared worker of a page, and pass its time. The page cannot
// open streams itself.
{
  delete window.EventSource;

  const test = new BroadcastChannel("test");
  const hear = () => new Promise((done) => test.addEventListener("message", ({ data }) => done(data), { once: true }));
  const started = hear();

  window.passWorkerTime = async (ms) => {
    await started;
    const heard = hear();
    test.postMessage(ms);
    return await heard;
  };

  window.SharedWorker = class extends SharedWorker {
    constructor(address, options) {
      const script = `import "${address}"; ${window.workerScript}`;
      super(URL.createObjectURL(new Blob([script], { type: "text/javascript" })), options);
    }
  };
}
