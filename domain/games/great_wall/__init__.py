"""The Great Wall: clans build and hold the Wall against the Horde."""
