#!/bin/sh
# remediator.sh [KIND]: a remediator for tests that only reports results.
#
# It handles all resources of one kind (KIND.group, as in kubectl), sets their condition
# Processing, and then the result in their annotation example.probelet.io/outcome:
#   succeed   Succeeded=True        fail   Succeeded=False        (anything else)   nothing
# It skips resources that Probelet has given up (annotation nhc-timed-out), as remediators must.
# Needs kubectl. Stop it with Ctrl-C.
set -u
kind=${1:-examplerebootremediations.example.probelet.io}
pause=${PAUSE:-2}

fields='{range .items[*]}{.metadata.namespace}{"|"}{.metadata.name}{"|"}'
fields=$fields'{.metadata.annotations.example\.probelet\.io/outcome}{"|"}'
fields=$fields'{.metadata.annotations.remediation\.medik8s\.io/nhc-timed-out}{"|"}'
fields=$fields'{.status.conditions[?(@.type=="Succeeded")].status}{"\n"}{end}'

say() { # namespace name processing succeeded
  now=$(date -u +%Y-%m-%dT%H:%M:%SZ)
  kubectl patch "$kind" --namespace "$1" "$2" --subresource status --type merge --patch "{
    \"status\": {\"conditions\": [
      {\"type\": \"Processing\", \"status\": \"$3\", \"reason\": \"Example\",
       \"message\": \"\", \"lastTransitionTime\": \"$now\"},
      {\"type\": \"Succeeded\", \"status\": \"$4\", \"reason\": \"Example\",
       \"message\": \"\", \"lastTransitionTime\": \"$now\"}]}}"
}

while :; do
  kubectl get "$kind" --all-namespaces --output "jsonpath=$fields" |
    while IFS='|' read -r namespace name outcome timed_out succeeded; do
      [ -n "$name" ] || continue
      [ -z "$timed_out" ] || continue
      case $outcome in
        succeed) wanted=True processing=False ;;
        fail) wanted=False processing=False ;;
        *) wanted=Unknown processing=True ;;
      esac
      [ "$succeeded" = "$wanted" ] || say "$namespace" "$name" "$processing" "$wanted"
    done
  sleep "$pause"
done
