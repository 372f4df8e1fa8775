{{/*
What names begin with: "probelet" for a release of that name, so that deploy/ and a release called probelet are the same
objects. Not by release are the names that the program knows: the leases, the webhook's Service and its Secrets. There is
one release in a namespace; Helm refuses a second one, as the Service is the first one's.
*/}}
{{- define "probelet.fullname" -}}
{{- $name := default .Chart.Name .Values.nameOverride }}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" }}
{{- else if contains $name .Release.Name }}
{{- .Release.Name | trunc 40 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name $name | trunc 40 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{- define "probelet.namespace" -}}
{{- default .Release.Namespace .Values.namespace }}
{{- end }}

{{/* What names begin with that count in the whole cluster, where a release of the same name may be in another namespace. */}}
{{- define "probelet.cluster" -}}
{{- $name := include "probelet.fullname" . }}
{{- $namespace := include "probelet.namespace" . }}
{{- if eq $namespace (printf "%s-system" $name) }}
{{- $name }}
{{- else }}
{{- printf "%s-%s" $name $namespace }}
{{- end }}
{{- end }}

{{/* Of which part it is: agent or controller. The name alone is what selectors go by, which can never be changed. */}}
{{- define "probelet.commonLabels" -}}
{{- $root := index . 0 }}
{{- $part := index . 1 -}}
app.kubernetes.io/name: {{ include "probelet.fullname" $root }}-{{ $part }}
app.kubernetes.io/instance: {{ $root.Release.Name }}
app.kubernetes.io/version: {{ $root.Chart.AppVersion | quote }}
app.kubernetes.io/component: {{ $part }}
app.kubernetes.io/part-of: probelet
{{- end }}

{{- define "probelet.labels" -}}
{{- $root := index . 0 }}
{{- include "probelet.commonLabels" . }}
app.kubernetes.io/managed-by: {{ $root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" $root.Chart.Name $root.Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "probelet.podLabels" -}}
{{- $root := index . 0 }}
{{- include "probelet.commonLabels" . }}
{{- with $root.Values.podLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* The file as it stands, comments included, unless there is something to add to it. */}}
{{- define "probelet.configuration" -}}
{{- if or .Values.profiles .Values.orders.enabled }}
{{- $configuration := fromYaml .Values.configuration }}
{{- if .Values.profiles }}
{{- $policy := default dict $configuration.policy }}
{{- $_ := set $policy "profiles" (concat (default list $policy.profiles) .Values.profiles) }}
{{- $_ := set $configuration "policy" $policy }}
{{- end }}
{{- if .Values.orders.enabled }}
{{- $_ := set $configuration "orders" .Values.orders }}
{{- end }}
{{- toYaml $configuration }}
{{- else }}
{{- .Values.configuration }}
{{- end }}
{{- end }}

{{/* Whether the node's D-Bus is mounted by itself, as nothing else brings it. */}}
{{- define "probelet.bus" -}}
{{- if and .Values.orders.enabled (not (and .Values.nodeMonitor .Values.hostRoot)) }}true{{ end }}
{{- end }}

{{/* A value without which templates break is missing where the defaults of an older chart are used. */}}
{{- define "probelet.complete" -}}
{{- range list "runtime" "orders" "leaseNamespace" "podDisruptionBudget" "networkPolicy" "monitoring" }}
{{- if not (hasKey $.Values .) }}
{{- fail (printf "the value %s is missing, as --reuse-values keeps the defaults of the old chart: upgrade with --reset-then-reuse-values, or give your values again" .) }}
{{- end }}
{{- end }}
{{- end }}

{{/* What no schema can say. */}}
{{- define "probelet.check" -}}
{{- include "probelet.complete" . }}
{{- $configuration := fromYaml .Values.configuration }}
{{- if hasKey $configuration "Error" }}
{{- fail (printf "configuration is not YAML: %s" $configuration.Error) }}
{{- end }}
{{- if and .Values.orders.enabled (hasKey $configuration "orders") }}
{{- fail "orders are in the value orders and in configuration: say them in one" }}
{{- end }}
{{- $listen := dig "http" "listen" "" $configuration }}
{{- if and $listen (not (hasSuffix (printf ":%d" (int .Values.port)) $listen)) }}
{{- fail (printf "the kubelet would ask port %d (the value port), but the agents listen on %s (configuration, http.listen)" (int .Values.port) $listen) }}
{{- end }}
{{- if and .Values.admissionPolicy (semverCompare "<1.30-0" .Capabilities.KubeVersion.Version) }}
{{- fail (printf "admissionPolicy needs Kubernetes 1.30, this is %s: set it to false, and know that an agent's token then reaches the whole cluster" .Capabilities.KubeVersion.Version) }}
{{- end }}
{{- if .Release.IsUpgrade }}
{{- $annotations := dig "metadata" "annotations" dict (lookup "v1" "Namespace" "" "probelet-system") }}
{{- if and (ne (include "probelet.namespace" .) "probelet-system")
    (eq (dig "meta.helm.sh/release-name" "" $annotations) .Release.Name)
    (eq (dig "meta.helm.sh/release-namespace" "" $annotations) .Release.Namespace) }}
{{- fail "this release has made the namespace probelet-system and would delete it now, with all that is in it: set namespace to probelet-system, which was the default of early versions of the chart" }}
{{- end }}
{{- end }}
{{- end }}
