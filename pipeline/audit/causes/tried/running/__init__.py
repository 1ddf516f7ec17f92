"""What a job may keep from one window to the next, as it adds what comes and takes off what goes."""
