with leads as (
  select game, month, match, version, list_position(scores, list_max(scores)) as leader
  from decisions
  where not undone and len(list_filter(scores, lambda score: score = list_max(scores))) = 1
), steps as (
  select *, lag(leader) over (partition by game, match order by version) as before from leads
), changes as (
  select game, month, match, count_if(leader <> before) as changes from steps group by all
)
select game, seats, count(*) as n, avg(coalesce(changes, 0)) as mean,
  stddev_samp(coalesce(changes, 0)) as deviation
from matches left join changes using (game, month, match) where given is null and won is null
group by all order by all
