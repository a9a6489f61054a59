# Opens a file in Kate, waits until the server has told it of a violation, and closes it.
# TRAFFIC: where a recorder keeps what goes between the two; FILE: what to open.
kate --startanon --new "$FILE" &
kate=$!
turns=0
until grep -qs DP901 "$TRAFFIC/to-kate" || [ "$turns" -ge 400 ]; do
    turns=$((turns + 1))
    sleep 0.2
done
kill "$kate"
wait "$kate"
