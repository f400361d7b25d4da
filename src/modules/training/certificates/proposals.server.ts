import { readStoredFileText } from '#modules/portal/files/contents.server.ts'
import { findReadableFile } from '#modules/portal/files/versions.server.ts'
import type { ApiRecord } from '#server/data/json-select.ts'
import { feature } from '#server/engine/module.ts'
import type { Route, RouteContext } from '#server/engine/route.ts'
import { trainingCourse } from '../courses/course.ts'
import { trainee } from '../matrix/matrix.ts'
import { trainingProof } from '../records/record.ts'
import { TRAINING_ROLES } from '../rights.ts'
import { proposeFromText } from './certificate-text.ts'
import { type CertificateReading, proposalsUrl } from './proposals.ts'

const MAX_PEOPLE = 5000
const NOTHING = { people: [], courses: [], dates: [] }

async function readCertificate(c: RouteContext): Promise<CertificateReading> {
  const file = await findReadableFile(c, trainingProof)
  const { clientId } = c.me
  const { parts, isLocked } = await readStoredFileText(c.engine, clientId, file)
  if (isLocked) return { ...NOTHING, unreadable: 'This PDF opens only with a password, so its text can’t be read.' }
  if (!parts.length)
    return {
      ...NOTHING,
      unreadable: file.type.startsWith('image/')
        ? 'This file is a picture, so it has no text that can be read.'
        : 'This file has no text that can be read. It may be a scan.',
    }
  const page = { limit: MAX_PEOPLE, offset: 0 }
  const people = await c.engine.list(trainee, c.me, {}, page, { count: false })
  const courses = await c.engine.list(trainingCourse, c.me, { retired: 'false' }, page, { count: false })
  const names = people.members.map(({ id, name }) => ({ id, name: String(name) }))
  const offered = courses.members.map(({ id, name, code }) => ({ id, name: String(name), alsoKnownAs: [String(code)] }))
  return { ...proposeFromText(parts.join(' '), names, offered), unreadable: '' }
}

const proposalsRoute: Route = {
  method: 'GET',
  path: proposalsUrl('{id}'),
  title: 'Propose person, course and dates from the text of a certificate; nothing is saved',
  allow: TRAINING_ROLES,
  pack: 'safety',
  handle: async (c) =>
    ({
      '@id': proposalsUrl(c.params.id ?? ''),
      '@type': 'CertificateProposals',
      ...(await readCertificate(c)),
    }) as unknown as ApiRecord,
}

export const certificates = feature({ pack: 'safety', routes: [proposalsRoute] })
