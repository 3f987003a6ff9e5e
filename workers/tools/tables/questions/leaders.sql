with stands as (
  select game, month, match, floor(10.0 * number / m.decisions) * 10 as percent,
    arg_max(scores, version) as scores
  from decisions join matches as m using (game, month, match)
  where not undone and given is null and won is null group by all
), leads as (
  select *, list_position(scores, list_max(scores)) - 1 as seat from stands
  where len(list_filter(scores, lambda score: score = list_max(scores))) = 1
)
select game, percent, count(*) as n, avg(if(place = 1, 1, 0)) as share
from leads join seats using (game, month, match, seat)
where percent < 100
group by all order by all
