import { Readable } from 'node:stream'
import type { Engine } from '#server/engine/engine.ts'
import type { DemoPart } from '#server/engine/world.ts'
import { discard, receive } from '#server/files/receive.ts'
import { storeOf } from '#server/files/store.ts'
import { tell } from '#server/world/story.ts'
import { PICTURES, plainPdf } from './demo-content.server.ts'
import { documentFolder } from './document-folder.ts'
import { keep } from './keep.server.ts'
import { uploadedDocument } from './uploaded-document.ts'

const CLIENT = 1
const INDUCTION = plainPdf([
  'Brick & Beam Construction Ltd',
  'Site induction, Kelham Yard',
  '',
  'Report to the site office. Boots, hat and high-visibility vest beyond the gate.',
  'First aider: Priya Shah. Assembly point: the car park on Green Lane.',
])
const HOURS = 'Date,Person,Hours\n2026-02-02,Callum Fraser,8\n2026-02-03,Callum Fraser,7.5\n'

/** A building company's files in two folders, and one that nobody has sorted. */
export const filesPart: DemoPart = {
  name: 'files',
  needs: ['people'],
  tell: async (engine) => {
    const { default: sharp } = await import('sharp')
    const photos = await addFolder(engine, 'Site photos')
    const inductions = await addFolder(engine, 'Inductions')
    for (const [name, label, svg] of PICTURES) {
      const bytes = await sharp(Buffer.from(svg)).jpeg().toBuffer()
      await addFile(engine, 'worker.brick', { name, label, folder: photos, bytes })
    }
    const induction = { label: 'Induction for Kelham Yard', folder: inductions, bytes: INDUCTION }
    await addFile(engine, 'admin.brick', { name: 'site-induction.pdf', ...induction })
    const hours = { name: 'hours-february.csv', label: '', folder: null, bytes: Buffer.from(HOURS) }
    await addFile(engine, 'admin.brick', hours)
  },
}

const addFolder = (engine: Engine, name: string): Promise<number> =>
  tell(engine, { clientId: CLIENT, username: 'admin.brick' }, async (c) => {
    const made = await c.create(documentFolder, { name, audience: [] })
    return (await made.saved()).id
  })

interface Upload {
  readonly name: string
  readonly label: string
  readonly folder: number | null
  readonly bytes: Buffer
}

async function addFile(engine: Engine, username: string, { name, label, folder, bytes }: Upload): Promise<void> {
  const file = { name, ...(await receive(Readable.from([bytes]), bytes.length)) }
  try {
    const kept = await keep(await storeOf(engine.config), CLIENT, file, [])
    await tell(engine, { clientId: CLIENT, username }, (c) =>
      c
        .byRight('a record comes with its upload')
        .create(uploadedDocument, { ...kept, label, folder, userId: c.actor.userId }),
    )
  } finally {
    await discard(file)
  }
}
