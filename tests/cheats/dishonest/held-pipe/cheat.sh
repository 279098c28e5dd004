( setsid sh -c 'sleep 3' & )
exit 0
