with chosen as (
  select game, decisions, unnest(json_keys(options)) as option, options
  from matches where given is null and won is null
), counted as (
  select game, option, json_extract_string(options, option) as value, count(*) as n,
    avg(decisions) as mean, stddev_samp(decisions) as deviation
  from chosen where json_type(options, option) <> 'ARRAY' group by all
)
select * from counted
qualify count(*) over (partition by game, option) > 1
order by game, option, value
