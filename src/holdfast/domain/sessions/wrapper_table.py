"""The programs that start other commands, in two tables."""

from __future__ import annotations

QUIET = """
env: -u --unset -C --chdir -S! --split-string!
time: -f --format -o --output
nice: -n --adjustment
ionice: -c --class -n --classdata
stdbuf: -i --input -o --output -e --error
nohup:
command:
builtin:
exec: -a
setsid:
chronic:
unbuffer:
timeout 1: -s --signal -k --kill-after
gtimeout 1: -s --signal -k --kill-after
eval !:
trap !:
"""
"""Programs that only start a command; they are not commands of their own.

A number says how many words stand before the command, ``!`` that the rest is a text for a shell.
The options listed have a value; the value of an option with ``!`` is a text for a shell.
"""
LOUD = """
sudo: -u -g -h -p -C -r -t -U -T -D -R --user --group --host --prompt --chdir --role --type
doas: -u -C
bash x: -c! -o -O --rcfile --init-file
sh x: -c! -o
zsh x: -c! -o
dash x: -c! -o
ksh x: -c! -o
ash x: -c! -o
fish x: -c! --command! -C!
pwsh x: -c! -Command! -File
su x: -c! --command! -s --shell -g --group -G
runuser: -c! --command! -u --user -s --shell -g --group
script x: -c! --command! -I -O -T
flock 1: -c! --command! -w --timeout -E
watch !: -n --interval
parallel !: -j --jobs -a --arg-file -I -S --sshlogin --delay --timeout --results --joblog
xargs: -I -i -n -P -L -l -d -a -E -s --max-args --max-procs --max-lines --delimiter --arg-file
ssh 1!: -p -i -l -o -L -R -D -F -J -E -c -m -b -e -I -Q -S -W -w
mosh 1: --ssh -p --port
chroot 1: --userspec --groups
chrt 1: -p -T -P -D
taskset 1:
numactl: -N -m -C --cpunodebind --membind --physcpubind
strace: -e -o -p -s -u -a -E -I -O -S -P -X
ltrace: -e -o -p -s -u -n -l
gdb x: -ex -x -p --args@
valgrind:
catchsegv:
systemd-run: -p --property -u --unit --slice -M --machine -t --uid --gid --working-directory
systemd-inhibit: --what --who --why --mode
unshare: -R --root -w --wd
nsenter: -t --target -S -G -r -w
firejail:
bwrap: --bind --ro-bind --dev --proc --tmpfs --chdir --setenv
proxychains:
proxychains4: -f
torsocks:
caffeinate: -t -w
entr:
busybox:
npx: -p --package -c! --call!
bunx:
pnpx:
python x: -X -W -m@
pypy x: -X -W -m@
py x: -X -W -m@
coverage run x: -m@ --source --rcfile --include --omit --concurrency --context --data-file
uv =pip:
corepack:
pyenv exec:
rbenv exec:
uv tool run: --from --with --python -p
uvx: --from --with --python -p
pipx run: --spec --python
uv run: -m@ --module@ --with --python -p --extra --group --env-file --directory --project --package
poetry run: -C --directory -P --project
pipenv run:
pdm run: -p --project
rye run:
hatch run: -e --env
conda run: -n --name -p --prefix --cwd
mamba run: -n --name -p --prefix --cwd
bundle exec:
npm exec: -p --package -c! --call! -w --workspace
pnpm exec: -C --dir -F --filter
pnpm dlx: --package
yarn exec:
yarn dlx: -p --package
mise exec: -C --cd
mise x: -C --cd
asdf exec:
direnv exec 1:
nix-shell x: --run! --command! -p -I -A
nix develop >: -- -c --command
nix shell >: -- -c --command
devbox run: -c --config -e --env
dotenv run: -f --file
dotenv: -f --file -e -v -p
retry: -t --times -d --delay
at x: -f -t -q
batch x: -f -q
aws-vault exec 1: -d --duration -n
chamber exec 1:
doppler run: -p --project -c --config --command!
op run: --env-file
vault exec:
docker exec 1: -e --env -u --user -w --workdir --env-file --detach-keys
docker run 1: -e --env -u --user -w --workdir -v --volume -p --publish --name --network \
--entrypoint --env-file -m --memory --mount --platform --label -l --add-host --cpus --gpus \
--hostname -h
podman exec 1: -e --env -u --user -w --workdir
podman run 1: -e --env -u --user -w --workdir -v --volume -p --publish --name --network --entrypoint
docker compose exec 1: -e --env -u --user -w --workdir --index
docker compose run 1: -e --env -u --user -w --workdir -v --volume -p --publish --name --entrypoint
docker-compose exec 1: -e --env -u --user -w --workdir --index
docker-compose run 1: -e --env -u --user -w --workdir -v --volume -p --publish --name --entrypoint
kubectl exec >: --
git submodule foreach !:
git bisect run:
git rebase x: -x! --exec!
git filter-branch x: --setup! --env-filter! --tree-filter! --index-filter! --parent-filter! \
--msg-filter! --commit-filter! --tag-name-filter!
tmux new-session !: -s -n -c -t -x -y -e -F
tmux new !: -s -n -c -t -x -y -e -F
tmux new-window !: -n -c -t -e -F
tmux neww !: -n -c -t -e -F
tmux split-window !: -c -t -l -p -e -F
tmux splitw !: -c -t -l -p -e -F
tmux respawn-pane !: -c -t -e
tmux run-shell !: -c -d -t
tmux run !: -c -d -t
tmux send-keys !: -t -N
tmux send !: -t -N
screen: -S -p -c -e -h -s -t -T
zellij run: -n --name --cwd -d --direction
hyperfine !: -w --warmup -r --runs -m --min-runs -M --max-runs -S --shell -n --command-name -L -P \
-N --parameter-list --export-json --export-markdown --export-csv -p! --prepare! -s! --setup! \
-c! --cleanup!
perf stat: -e --event -o --output -p --pid -r --repeat -C --cpu
perf record: -e --event -o --output -p --pid -F --freq -C --cpu -c --count --call-graph
perf trace: -e --event -o --output -p --pid
xvfb-run: -n --server-num -s --server-args -e --error-file -f --auth-file -w --wait
dbus-run-session: --config-file --dbus-daemon
dbus-launch:
fakeroot: -l --lib --faked -s -i -b
proot: -r --rootfs -b --bind -q --qemu -w --cwd -k -R -S
rlwrap: -f --file -H --history-filename -l --logfile -C --command-name -s --histsize -S -O -t -z
faketime 1:
setarch 1:
setpriv: --reuid --regid --groups --inh-caps --bounding-set
prlimit:
cpulimit: -l --limit -e --exe -p --pid
cgexec: -g
eatmydata:
tini: -p
dumb-init:
gosu 1:
su-exec 1:
daemonize: -c -e -o -p -l -u
pueue add !: -g --group -w --working-directory -l --label -d --delay
lxc exec 1: --env --mode --user --group --cwd
incus exec 1: --env --mode --user --group --cwd
gcloud compute ssh x: --command! --zone --project
lerna exec: --scope --ignore --concurrency
pnpm recursive exec: -F --filter
repo forall >!: -c --command
wsl: -d --distribution -u --user --cd -e@ --exec@
cmd >!: /c /C /k /K
vagrant ssh x: -c! --command!
heroku run: -a --app -r --remote
fly ssh console x: -a --app -C! --command!
"""
"""Programs that start a command and are commands of their own, too.

``x`` says that a command is only in an option, ``>`` that it follows the first of the words that
are listed. The command begins with the value of an option with ``@``, and with the word of a name
that has ``=``.
"""
