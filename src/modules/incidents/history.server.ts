import type { Context } from '#server/engine/types.ts'
import { incidentEvent } from './reports/incident-report.ts'

/** Adds an event to an incident's history. The notes never contain health details. */
export const logIncidentEvent = (c: Context, report: number, event: string, notes = '') =>
  c
    .withoutPermissionCheck('record the history of an incident')
    .create(incidentEvent, { report, event, notes, createdAt: c.now.toString() })
