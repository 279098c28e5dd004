# Runs a command as a user without rights, in a mount namespace in which what it needs can be
# reached: sh as_user.sh DIR DIR DIR COMMAND…
set -e
aside=$(mktemp -d)
home=$(mktemp -d)
chown 1234:1234 "$home"
number=0
for needed in "$1" "$2" "$3"; do
  mkdir "$aside/$number"
  mount --rbind "$needed" "$aside/$number"
  number=$((number + 1))
done
mount -t tmpfs -o mode=755 none /root
number=0
for needed in "$1" "$2" "$3"; do
  case "$needed" in
    "/root"/*) mkdir -p "$needed" && mount --rbind "$aside/$number" "$needed" ;;
  esac
  number=$((number + 1))
done
shift 3
cd /
exec setpriv --reuid 1234 --regid 1234 --clear-groups --inh-caps=-all --bounding-set=-all \
  env -i HOME="$home" TMPDIR="$home" PATH=/usr/bin:/bin FAIRTRIAL_NO_SKIP= "$@"
