"""Tests of `chatcore.application.sign_on`."""
