import { problem } from '#kernel/errors.ts'
import { iriOf } from '#kernel/resource.ts'
import { createFileRoutes } from '#modules/portal/files/files.server.ts'
import { createUploadRoute } from '#modules/portal/files/upload.server.ts'
import { behaviour } from '#server/engine/behaviour.ts'
import { logConfidentialRead } from '#server/engine/confidential-reads.ts'
import type { RouteContext } from '#server/engine/route.ts'
import { refuseOwnLeave } from '../employees/own-leave.server.ts'
import { HR_PRIVATE_ROLE } from '../rights.ts'
import { fitNote } from './fit-note.ts'
import { sicknessAbsence } from './sickness.ts'

const MAX_FIT_NOTES = 20

/** Returns the absence to which a fit note is added. Throws 409 if it is retired or has too many. */
async function findAbsence(c: RouteContext): Promise<number> {
  const id = await c.engine.idOf(sicknessAbsence, c.actor, c.params.id)
  const { retired } = await c.engine.one(sicknessAbsence, c.actor, id)
  if (retired) throw problem.conflict('This absence is retired.')
  return id
}

/** Logs that a person opened a fit note. */
async function logOpening({ engine, me, request }: RouteContext, { id }: { readonly id: number }): Promise<void> {
  await engine.inTenant(me.clientId, { actor: me, requestId: request.id }, async (c) => {
    const file = await c.get(fitNote, id)
    if (file)
      await logConfidentialRead(c.work.tx, c.actor, {
        clientId: me.clientId,
        resource: fitNote,
        id,
        title: file.name,
        fields: [{ name: 'content', label: 'Content of the fit note' }],
        partOf: iriOf(sicknessAbsence, file.absence),
      })
    return () => undefined
  })
}

export const fitNoteRoutes = [
  createUploadRoute({
    path: `${sicknessAbsence.url}/{id}/fit_notes`,
    title: 'Add a fit note to an absence, as multipart/form-data with `file`',
    allow: HR_PRIVATE_ROLE,
    into: fitNote,
    place: async (c) => ({ absence: await findAbsence(c), createdAt: c.engine.clock.now().toString() }),
  }),
  ...createFileRoutes(fitNote, HR_PRIVATE_ROLE, logOpening),
]

/** Nobody adds or retires their own fit note. */
export const fitNoteBehaviour = behaviour(fitNote, {
  lockedRelations: ['absence'],
  beforeSave: async (c) => {
    const absence = await c.get(sicknessAbsence, c.before?.absence ?? c.values.absence ?? 0)
    if (!absence) throw problem.notFound()
    await refuseOwnLeave(c, absence.employee)
    if (c.before) return undefined
    const stored = await c.find(fitNote, { absence: absence.id, retired: false })
    if (stored.length >= MAX_FIT_NOTES)
      throw problem.conflict(`An absence has at most ${MAX_FIT_NOTES} fit notes. Retire one first.`)
    return undefined
  },
})
