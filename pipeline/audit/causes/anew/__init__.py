"""A sample as it is looked at anew: with numbers of its own, or where what explains much of it is what is due; and
causes of some of its events alone."""
