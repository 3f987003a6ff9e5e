with best as (
  select game, match, max(score) as score from seats group by all
), chosen as (
  select game, score, unnest(json_keys(options)) as option, options
  from matches join best using (game, match) where given is null and won is null
), counted as (
  select game, option, json_extract_string(options, option) as value, count(*) as n,
    avg(score) as mean, stddev_samp(score) as deviation
  from chosen where json_type(options, option) <> 'ARRAY' group by all
)
select * from counted
qualify count(*) over (partition by game, option) > 1
order by game, option, value
