import { problem, violation } from '#kernel/errors.ts'
import { idFromIri, iriOf } from '#kernel/resource.ts'
import { createFileRoutes } from '#modules/portal/files/files.server.ts'
import { createUploadRoute } from '#modules/portal/files/upload.server.ts'
import type { AfterSaveInput } from '#server/engine/behaviour.ts'
import { logConfidentialRead } from '#server/engine/confidential-reads.ts'
import type { RouteContext } from '#server/engine/route.ts'
import type { Context } from '#server/engine/types.ts'
import { INCIDENT_REPORTER_ROLES } from '../rights.ts'
import { incidentFile, MAX_INCIDENT_FILES } from './incident-file.ts'
import { incidentReport } from './incident-report.ts'

const wrongFile = (message: string) => problem.invalid([violation('files', message)])

/**
 * Attaches the named files to their incident. Throws 422 if a file is not the actor's, or belongs to another incident.
 */
export async function attachFiles(c: Context & AfterSaveInput<typeof incidentReport>, report: number): Promise<void> {
  const named = c.changes.files ?? []
  const ids = named.map((iri) => Number(idFromIri(incidentFile, iri)))
  // Locked, so that a file can't be attached to two concurrent reports.
  const found = ids.length ? await c.lockAll(incidentFile, { id: ids.filter(Number.isSafeInteger) }) : []
  const isForeign = ({ report: of, author }: (typeof found)[number]) =>
    of === null ? author !== c.actor.username : of !== report
  if (found.length < new Set(ids).size || found.some(isForeign))
    throw wrongFile('A photo or document is not yours. Please upload it again')
  if (ids.length > MAX_INCIDENT_FILES) throw wrongFile(`An incident has at most ${MAX_INCIDENT_FILES} files`)
  for (const file of found) if (file.report === null) await c.set(incidentFile, file, { report }, 'attach')
}

/** Logs that a person opened a photo or document that another person uploaded. The file can show an injury. */
async function logOpening({ engine, me, request }: RouteContext, { id }: { readonly id: number }): Promise<void> {
  await engine.inTenant(me.clientId, { actor: me, requestId: request.id }, async (c) => {
    const file = await c.get(incidentFile, id)
    const fields = [{ name: 'content', label: 'Content of the file' }]
    const partOf = file?.report ? iriOf(incidentReport, file.report) : undefined
    if (file && file.author !== me.username)
      await logConfidentialRead(c.work.tx, c.actor, {
        clientId: me.clientId,
        resource: incidentFile,
        id,
        title: file.name,
        fields,
        ...(partOf ? { partOf } : {}),
      })
    return () => undefined
  })
}

export const incidentFileRoutes = [
  createUploadRoute({
    path: `${incidentReport.url}/files`,
    title: 'Upload a photo or document of an incident, as multipart/form-data with `file`, before its report',
    allow: INCIDENT_REPORTER_ROLES,
    into: incidentFile,
    place: async ({ engine }) => ({ report: null, createdAt: engine.clock.now().toString() }),
  }),
  ...createFileRoutes(incidentFile, INCIDENT_REPORTER_ROLES, logOpening),
]
