with points as (
  select game, if(place = 1, 'winners', 'others') as who,
    unnest(json_keys(breakdown)) as category, breakdown
  from seats join matches as m using (game, month, match) where given is null and won is null
)
select game, category, who, count(*) as n,
  avg(json_extract(breakdown, category)::double) as mean,
  stddev_samp(json_extract(breakdown, category)::double) as deviation
from points group by all having n >= 10
order by game, category, who desc
