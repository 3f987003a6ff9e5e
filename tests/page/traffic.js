// What a page, or the shared worker that it subscribes to, has yet to use: requests and streams
// without an answer, and messages between both; and which marks of the proxy have come.
{
  globalThis.traffic = { pending: 0, marks: [], posted: 0, received: 0 };

  for (const [owner, name] of [[globalThis, "fetch"], [Response.prototype, "json"], [Response.prototype, "text"]]) {
    const call = owner[name];
    owner[name] = function (...given) {
      traffic.pending += 1;
      return call.apply(this, given).finally(() => (traffic.pending -= 1));
    };
  }

  globalThis.EventSource = class extends EventSource {
    #answered = false;

    constructor(address) {
      super(address);
      traffic.pending += 1;
      for (const kind of ["open", "error"]) this.addEventListener(kind, () => this.#answer());
      this.addEventListener("mark", ({ data }) => traffic.marks.push(Number(data)));
    }

    close() {
      super.close();
      this.#answer();
    }

    #answer() {
      traffic.pending -= !this.#answered;
      this.#answered = true;
    }
  };

  const port = MessagePort.prototype;
  const { postMessage } = port;
  port.postMessage = function (...given) {
    traffic.posted += 1;
    postMessage.apply(this, given);
  };
  const { set } = Object.getOwnPropertyDescriptor(port, "onmessage");
  Object.defineProperty(port, "onmessage", {
    set(use) {
      set.call(this, (event) => {
        traffic.received += 1;
        use?.(event);
      });
    },
  });
}
