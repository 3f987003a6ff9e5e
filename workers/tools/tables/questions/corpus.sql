select game, count(*) as matches, min(seats) as fewest, max(seats) as most,
  sum(decisions)::bigint as decisions, sum(persons)::bigint as persons, count(model) as analysed,
  strftime(make_timestamp(min(ended) * 1000), '%Y-%m-%d') as since,
  strftime(make_timestamp(max(ended) * 1000), '%Y-%m-%d') as until
from matches where given is null and won is null group by all order by game
