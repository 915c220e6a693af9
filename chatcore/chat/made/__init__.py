"""Parts of `Chat` whose methods are one use case each, made from the signatures of the use cases."""
