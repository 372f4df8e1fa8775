{{/*
The prefix of names. It is "probelet" for a release of that name, so that the release and deploy/ have the same objects.
The program itself knows the names of the leases, the webhook's Service and its Secrets, so they do not depend on the
release. A namespace can have one release: Helm rejects a second one, because the first owns the Service.
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

{{/* The prefix of names of cluster-scoped objects. Another namespace may have a release of the same name. */}}
{{- define "probelet.cluster" -}}
{{- $name := include "probelet.fullname" . }}
{{- $namespace := include "probelet.namespace" . }}
{{- if eq $namespace (printf "%s-system" $name) }}
{{- $name }}
{{- else }}
{{- printf "%s-%s" $name $namespace }}
{{- end }}
{{- end }}

{{/* The part is agent or controller. Selectors are immutable, so they use only the label app.kubernetes.io/name. */}}
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

{{/* The configuration file unchanged, with its comments, unless profiles or orders must be added. */}}
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

{{/* Whether the node's D-Bus needs its own mount. The node's root directory includes it. */}}
{{- define "probelet.bus" -}}
{{- if and .Values.orders.enabled (not (and .Values.nodeMonitor .Values.hostRoot)) }}true{{ end }}
{{- end }}

{{/* With --reuse-values the defaults of the older chart lack values that the templates need. */}}
{{- define "probelet.complete" -}}
{{- range list "runtime" "orders" "leaseNamespace" "podDisruptionBudget" "networkPolicy" "monitoring" "workloadEvidence" }}
{{- if not (hasKey $.Values .) }}
{{- fail (printf "the value %s is missing, because --reuse-values keeps the defaults of the old chart: upgrade with --reset-then-reuse-values, or pass your values with -f" .) }}
{{- end }}
{{- end }}
{{- end }}

{{/* Checks that a schema cannot express. */}}
{{- define "probelet.check" -}}
{{- include "probelet.complete" . }}
{{- $configuration := fromYaml .Values.configuration }}
{{- if hasKey $configuration "Error" }}
{{- fail (printf "configuration is not YAML: %s" $configuration.Error) }}
{{- end }}
{{- if and .Values.orders.enabled (hasKey $configuration "orders") }}
{{- fail "both the value orders and the configuration contain orders: use only one" }}
{{- end }}
{{- $listen := dig "http" "listen" "" $configuration }}
{{- if and $listen (not (hasSuffix (printf ":%d" (int .Values.port)) $listen)) }}
{{- fail (printf "the kubelet would probe port %d (value port), but the agents listen on %s (http.listen in the value configuration)" (int .Values.port) $listen) }}
{{- end }}
{{- if and .Values.admissionPolicy (semverCompare "<1.30-0" .Capabilities.KubeVersion.Version) }}
{{- fail (printf "admissionPolicy needs Kubernetes 1.30, this cluster has %s: upgrade it, or set admissionPolicy=false, which lets each agent's token reach the whole cluster" .Capabilities.KubeVersion.Version) }}
{{- end }}
{{- if .Release.IsUpgrade }}
{{- $annotations := dig "metadata" "annotations" dict (lookup "v1" "Namespace" "" "probelet-system") }}
{{- if and (ne (include "probelet.namespace" .) "probelet-system")
    (eq (dig "meta.helm.sh/release-name" "" $annotations) .Release.Name)
    (eq (dig "meta.helm.sh/release-namespace" "" $annotations) .Release.Namespace) }}
{{- fail "this release created the namespace probelet-system, and the upgrade would delete it with everything in it: set namespace=probelet-system, the default of early versions of the chart" }}
{{- end }}
{{- end }}
{{- end }}
