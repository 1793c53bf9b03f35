"""What a project wants: its manifests, whatever tool they were written for."""
