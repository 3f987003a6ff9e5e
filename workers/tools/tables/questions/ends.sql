with ends as (
  select game, seats, end_reason, count(*) as hits from matches where given is null and won is null group by all
)
select game, seats, end_reason, sum(hits) over (partition by game, seats) as n, hits / n as share
from ends order by game, seats, hits desc, end_reason
