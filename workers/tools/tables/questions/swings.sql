select game, floor(10.0 * (number - 1) / m.decisions) * 10 as percent, count(*) as n,
  avg(abs(win_after - win_before)) as mean, stddev_samp(abs(win_after - win_before)) as deviation
from decisions join matches as m using (game, month, match)
where not undone and given is null and won is null and win_after is not null
group by all order by all
