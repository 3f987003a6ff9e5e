with mixed as (
  select game, match from seats where player is null
  group by all having count(distinct bot) > 1
)
select game, bot as level, count(*) as n, avg(win_share * m.seats) as mean,
  stddev_samp(win_share * m.seats) as deviation, sum(m.seats)::bigint as seats
from seats join matches as m using (game, month, match) join mixed using (game, match)
where given is null and won is null and bot is not null
group by all order by game, mean, level
