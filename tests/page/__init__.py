"""The page, without a browser and in one."""
