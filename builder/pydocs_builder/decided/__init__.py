"""Why things are as they are: decisions, wherever a project writes them down."""
