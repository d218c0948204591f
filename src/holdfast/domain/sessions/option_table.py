"""The options of common programs, in one table."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


_TABLE = """
git: -C= -c= --git-dir= --work-tree= --namespace= -p|--paginate -P|--no-pager
git add: -A|--all -f|--force -p|--patch -u|--update -n|--dry-run -i|--interactive
git branch: -d|--delete -f|--force -m|--move -a|--all -r|--remotes -D>--delete,--force \
-M>--move,--force -C>--copy,--force
git checkout: -f|--force -b= -B= -q|--quiet -p|--patch -d|--detach
git cherry-pick: -n|--no-commit -e|--edit -x
git clean: -f|--force -n|--dry-run -q|--quiet -i|--interactive -e=|--exclude= -d -x -X
git clone: -b=|--branch= -q|--quiet -n|--no-checkout
git commit: -n|--no-verify -a|--all -m=|--message= -s|--signoff -S|--gpg-sign -F=|--file= \
-e|--edit -p|--patch -C=|--reuse-message= -q|--quiet
git fetch: -f|--force -p|--prune -t|--tags -a|--append -q|--quiet
git merge: -s=|--strategy= -X=|--strategy-option= -m=|--message= -n|--no-stat
git pull: -r|--rebase -f|--force -p|--prune -s=|--strategy= -q|--quiet
git push: -f|--force -n|--dry-run -d|--delete -u|--set-upstream -q|--quiet -o=|--push-option=
git rebase: -i|--interactive -f|--force-rebase|--no-ff -s=|--strategy= -x=|--exec=
git reset: -q|--quiet -p|--patch -N|--intent-to-add
git restore: -s=|--source= -S|--staged -W|--worktree -p|--patch
git rm: -f|--force -r -n|--dry-run -q|--quiet
git stash: -u|--include-untracked -a|--all -m=|--message= -p|--patch -q|--quiet
git switch: -c=|--create= -C=|--force-create= -f|--force|--discard-changes -d|--detach
git tag: -d|--delete -f|--force -a|--annotate -m=|--message= -s|--sign
git worktree: -f|--force -b= -B= -d|--detach
rm: -r|-R|--recursive -f|--force -v|--verbose -d|--dir -i -I
cp: -r|-R|--recursive -f|--force -a|--archive -v|--verbose -n|--no-clobber -t=|--target-directory=
mv: -f|--force -n|--no-clobber -v|--verbose -t=|--target-directory=
chmod: -R|--recursive -v|--verbose -f|--quiet|--silent
chown: -R|--recursive -v|--verbose -h|--no-dereference
chgrp: -R|--recursive
ln: -s|--symbolic -f|--force -n|--no-dereference
mkdir: -p|--parents -m=|--mode=
sed: -i|--in-place -e=|--expression= -n|--quiet|--silent -f=|--file= -E|-r|--regexp-extended
grep: -r|--recursive -R|--dereference-recursive -i|--ignore-case -v|--invert-match -e=|--regexp= \
-f=|--file=
tar: -x|--extract|--get -c|--create -f=|--file= -v|--verbose -C=|--directory= -t|--list -z|--gzip
rsync: -a|--archive -r|--recursive -n|--dry-run -v|--verbose -z|--compress -e=|--rsh= \
-u|--update --del|--delete
make: -j|--jobs -B|--always-make -k|--keep-going -n|--dry-run|--just-print -C=|--directory= \
-f=|--file=|--makefile= -i|--ignore-errors
kill: -9|-KILL|-SIGKILL|--kill -15|-TERM|-SIGTERM|--term -1|-HUP|-SIGHUP|--hup
pkill: -9|-KILL|-SIGKILL|--kill -f|--full -u=|--euid=
killall: -9|-KILL|-SIGKILL|--kill -u=|--user=
docker: -H=|--host= -c=|--context= --config= -l=|--log-level=
docker run: -d|--detach -i|--interactive -t|--tty -p=|--publish= -P|--publish-all -v=|--volume= \
-e=|--env= -u=|--user= -w=|--workdir= --name= --network=|--net= --entrypoint= -m=|--memory=
docker exec: -d|--detach -i|--interactive -t|--tty -u=|--user= -e=|--env= -w=|--workdir=
docker rm: -f|--force -v|--volumes -l|--link
docker rmi: -f|--force
docker build: -t=|--tag= -f=|--file= -q|--quiet --build-arg= --target=
docker push: -a|--all-tags -q|--quiet
docker system prune: -a|--all -f|--force --filter=
docker image prune: -a|--all -f|--force --filter=
docker volume: -f|--force -a|--all
docker container: -f|--force
docker compose: -f=|--file= -p=|--project-name= --profile= --env-file=
docker compose up: -d|--detach
docker compose down: -v|--volumes -t=|--timeout=
docker compose rm: -f|--force -v|--volumes -s|--stop
npm: -g|--global|--location=global -D|--save-dev|--dev -S|--save|--save-prod|-P -E|--save-exact \
-f|--force -w=|--workspace= -O|--save-optional -C=|--prefix= -y|--yes
pnpm: -g|--global -D|--save-dev|--dev -E|--save-exact -r|--recursive -w|--workspace-root \
-F=|--filter= -C=|--dir=
yarn: -D|--dev -E|--exact -f|--force -W|--ignore-workspace-root-check
npx: -y|--yes -p=|--package=
pip: -U|--upgrade -r=|--requirement= -c=|--constraint= -e=|--editable= -y|--yes -q|--quiet \
-i=|--index-url= -t=|--target= -I|--ignore-installed
uv: -U|--upgrade -q|--quiet -n|--no-cache
cargo: -r|--release -p=|--package= -F=|--features= -j=|--jobs= -q|--quiet -v|--verbose
pytest: -x|--exitfirst -n=|--numprocesses= -k= -m= -v|--verbose -q|--quiet -s>--capture=no -p= -c=
kubectl: -n=|--namespace= -f=|--filename= -A|--all-namespaces -l=|--selector= -o=|--output= \
-k=|--kustomize= -c=|--container= -R|--recursive --context= --kubeconfig= --cluster=
helm: -n=|--namespace= -f=|--values= -i|--install --kube-context= --set=
curl: -k|--insecure -X=|--request= -L|--location -o=|--output= -O|--remote-name -s|--silent \
-S|--show-error -u=|--user= -d=|--data= -H=|--header= -f|--fail -F=|--form= -T=|--upload-file= \
-x=|--proxy= -I|--head
wget: -q|--quiet -O=|--output-document= -r|--recursive -P=|--directory-prefix= -c|--continue
psql: -c=|--command= -d=|--dbname= -f=|--file= -U=|--username= -h=|--host= -p=|--port= \
-1|--single-transaction
apt: -y|--yes|--assume-yes -q|--quiet -f|--fix-broken
apt-get: -y|--yes|--assume-yes -q|--quiet -f|--fix-broken
yum: -y|--assumeyes
dnf: -y|--assumeyes
brew: -f|--force -q|--quiet -v|--verbose
systemctl: -f|--force -q|--quiet -n=|--lines=
journalctl: -f|--follow -u=|--unit= -n=|--lines= -k|--dmesg
gh: -R=|--repo=
gh pr merge: -d|--delete-branch -s|--squash -m|--merge -r|--rebase
gh release: -t=|--title= -n=|--notes= -d|--draft -p|--prerelease -y|--yes
ssh: -p= -i= -l= -o= -L= -R= -D= -F= -J=
scp: -r -P= -i= -o=
aws: --profile= --region= --output= --endpoint-url=
gcloud: -q|--quiet --project= --region= --zone=
redis-cli: -h= -p= -a=|--pass= -n= -u=
mysql: -e=|--execute= -u=|--user= -h=|--host= -D=|--database= -f|--force
terraform: -auto-approve -target= -var= -var-file= -chdir= -destroy -refresh-only
"""
"""Options of well-known programs and their subcommands.

Names joined by ``|`` are one option, ``=`` marks an option with a value, and ``>`` one that stands
for several others.
"""
Options = dict[str, tuple[tuple[str, ...], bool]]
"""What each name stands for, and whether a value follows it."""
_PARSED: dict[str, Options] = {}


def known_options(command: str) -> Options:
    """Return the options of a program or a subcommand; the table is parsed when first needed."""
    if not _PARSED:
        for line in _TABLE.strip().splitlines():
            name, _, options = line.partition(": ")
            _PARSED[name] = dict(_parsed(options))
    return _PARSED.get(command, {})


def _parsed(options: str) -> Iterator[tuple[str, tuple[tuple[str, ...], bool]]]:
    for item in options.split():
        short, stands_for, several = item.partition(">")
        if stands_for:
            yield short, (tuple(several.split(",")), False)
            continue
        names = [name.removesuffix("=") for name in item.split("|")]
        for name in names:
            yield name, ((names[-1],), item.endswith("="))
