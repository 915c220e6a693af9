"""Pages to which links in mails lead that end mails of their kind."""
