{{- define "grantor.name" -}}
{{- if contains "grantor" .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-grantor" (.Release.Name | trunc 42 | trimSuffix "-") -}}
{{- end -}}
{{- end -}}

{{/* The labels that select the pods of a part: server, worker or migration. */}}
{{- define "grantor.selector" -}}
app.kubernetes.io/name: grantor
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end -}}

{{- define "grantor.labels" -}}
{{ include "grantor.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end -}}

{{- define "grantor.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{- define "grantor.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "grantor.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{- define "grantor.env" -}}
- name: GRANTOR_LISTEN
  value: "0.0.0.0:8080"
- name: GRANTOR_METRICS_LISTEN
  value: "0.0.0.0:9090"
- name: GRANTOR_PUBLIC_URL
  value: {{ .Values.publicUrl | quote }}
- name: GRANTOR_TRUSTED_PROXIES
  value: {{ join "," .Values.trustedProxies | quote }}
{{- range .Values.secret.keys }}
- name: GRANTOR_{{ upper . }}_FILE
  value: /run/secrets/grantor/{{ . }}
{{- end }}
{{- range $name, $value := .Values.settings }}
- name: GRANTOR_{{ upper $name }}
  value: {{ kindIs "float64" $value | ternary (printf "%.0f" (float64 $value)) (toString $value) | quote }}
{{- end }}
{{- with .Values.env }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- define "grantor.mounts" -}}
- { name: data, mountPath: /var/lib/grantor }
- { name: secret, mountPath: /run/secrets/grantor, readOnly: true }
{{- with .Values.volumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* Nothing of a pod outlives it. */}}
{{- define "grantor.volumes" -}}
- name: data
  emptyDir: { sizeLimit: 1Gi }
- name: secret
  secret:
    secretName: {{ .Values.secret.name }}
    defaultMode: 0440
    items:
    {{- range .Values.secret.keys }}
    - { key: {{ . }}, path: {{ . }} }
    {{- end }}
{{- with .Values.volumes }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* A deployment of a part, with its arguments and the port of its probes. */}}
{{- define "grantor.deployment" -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "grantor.name" .root }}-{{ .part }}
  labels: {{- include "grantor.labels" . | nindent 4 }}
spec:
  {{- if .replicas }}
  replicas: {{ .replicas }}
  {{- end }}
  revisionHistoryLimit: 3
  strategy:
    type: RollingUpdate
    rollingUpdate: { maxUnavailable: 0, maxSurge: 1 }
  selector:
    matchLabels: {{- include "grantor.selector" . | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "grantor.labels" . | nindent 8 }}
        {{- with .root.Values.podLabels }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- with .root.Values.podAnnotations }}
      annotations: {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      automountServiceAccountToken: false
      enableServiceLinks: false
      terminationGracePeriodSeconds: {{ .root.Values.terminationGracePeriodSeconds }}
      securityContext: {{- include "grantor.podSecurity" .root | nindent 8 }}
      {{- with .root.Values.imagePullSecrets }}
      imagePullSecrets: {{- toYaml . | nindent 8 }}
      {{- end }}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels: {{- include "grantor.selector" . | nindent 14 }}
      containers:
        - name: grantor
          image: {{ include "grantor.image" .root }}
          imagePullPolicy: {{ .root.Values.image.pullPolicy }}
          args: {{- toYaml .args | nindent 12 }}
          env: {{- include "grantor.env" .root | nindent 12 }}
          ports:
            {{- if eq .part "server" }}
            - { name: http, containerPort: 8080 }
            {{- end }}
            - { name: metrics, containerPort: 9090 }
          startupProbe:
            httpGet: { path: /livez, port: {{ .probes }} }
            periodSeconds: 1
            failureThreshold: 120
          livenessProbe:
            httpGet: { path: /livez, port: {{ .probes }} }
            periodSeconds: 10
            timeoutSeconds: 2
            failureThreshold: 3
          readinessProbe:
            httpGet: { path: /readyz, port: {{ .probes }} }
            periodSeconds: 2
            timeoutSeconds: 2
            failureThreshold: 2
          resources: {{- toYaml .resources | nindent 12 }}
          securityContext: {{- include "grantor.containerSecurity" .root | nindent 12 }}
          volumeMounts: {{- include "grantor.mounts" .root | nindent 12 }}
      volumes: {{- include "grantor.volumes" .root | nindent 8 }}
      {{- with .root.Values.nodeSelector }}
      nodeSelector: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .root.Values.tolerations }}
      tolerations: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .root.Values.affinity }}
      affinity: {{- toYaml . | nindent 8 }}
      {{- end }}
{{- end -}}
