-- Claims in prose have names too: the names of every memory are derived again after this step.

PRAGMA user_version = 14;
