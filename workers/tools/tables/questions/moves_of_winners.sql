with chosen as (
  select game, match, seat, kind, count(*) as times
  from decisions where not undone and coalesce(n_legal, 2) > 1 group by all
), everybody as (
  select game, match, seat, if(place = 1, 'winners', 'others') as who, sum(times) as of
  from seats join matches as m using (game, month, match) join chosen using (game, match, seat)
  where given is null and won is null group by all
), kinds as (
  select game, kind from chosen group by all having count(*) >= 10
)
select game, kind, who, count(*) as n, avg(coalesce(times, 0) / of) as mean,
  stddev_samp(coalesce(times, 0) / of) as deviation
from everybody join kinds using (game) left join chosen using (game, match, seat, kind)
group by all order by game, kind, who desc
