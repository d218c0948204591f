"""What is plugged in where: models, judges, plug-ins, folders."""
