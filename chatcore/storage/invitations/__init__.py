"""Protocol of invitations."""
