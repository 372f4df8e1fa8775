/**
 * Records incidents of containers with the evidence of their moment, so that {@code probelet why}
 * can tell their causes later.
 *
 * <pre>
 *   probes, runtime ──▶ IncidentRecorder ──▶ IncidentStore ──▶ /api/v1/incidents
 *                           ▲                    │
 *     kernel, node, log ────┘                    └──▶ incidents.jsonl in the state folder
 * </pre>
 */
@NullMarked
package io.probelet.agent.incident;

import org.jspecify.annotations.NullMarked;
