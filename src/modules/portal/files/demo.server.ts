import { londonDate } from '#kernel/time.ts'
import type { DemoDataPart } from '#server/engine/initial-data.ts'
import type { Engine } from '#server/engine/types.ts'
import { seedAsUser } from '#server/seed/seed-as.ts'
import { DEMO_DOWNLOADS, DEMO_HR_TEMPLATES, DEMO_PICTURES, renderPlainPdf } from './demo-content.server.ts'
import { seedFile } from './seed-file.server.ts'
import { documentFolder, uploadedDocument } from './uploaded-document.ts'
import { addFileVersion } from './versions.server.ts'

const CLIENT = 1
const induction = (assembly: string) =>
  renderPlainPdf([
    'Brick & Beam Construction Ltd',
    'Site induction, Kelham Yard',
    '',
    'Report to the site office. Boots, hat and high-visibility vest beyond the gate.',
    `First aider: Priya Shah. Assembly point: ${assembly}.`,
  ])
const HOURS = 'Date,Person,Hours\n2026-02-02,Callum Fraser,8\n2026-02-03,Callum Fraser,7.5\n'

/** Seeds a building company's files: two folders, and one file that is in no folder. */
const filesPart: DemoDataPart = {
  name: 'files',
  needs: ['people'],
  tell: async (engine) => {
    const { default: sharp } = await import('sharp')
    const photos = await addFolder(engine, 'Site photos')
    const inductions = await addFolder(engine, 'Inductions')
    for (const [name, label, svg] of DEMO_PICTURES) {
      const bytes = await sharp(Buffer.from(svg)).jpeg().toBuffer()
      await addFile(engine, 'worker.brick', { name, label, folder: photos, bytes })
    }
    const shown = { name: 'site-induction.pdf', label: 'Induction for Kelham Yard', folder: inductions }
    const replaces = await addFile(engine, 'admin.brick', { ...shown, bytes: induction('the gate') })
    await addFile(engine, 'admin.brick', { ...shown, bytes: induction('the car park on Green Lane'), replaces })
    const today = londonDate(engine.clock.now())
    for (const [name, audience, files] of DEMO_DOWNLOADS) {
      const folder = await addFolder(engine, name, { audience: [...audience], downloads: true })
      for (const { days, ...file } of files) {
        const expires = days === undefined ? null : today.add({ days }).toString()
        await addFile(engine, 'admin.brick', { ...file, folder, bytes: renderPlainPdf(file.lines), expires })
      }
    }
    const templates = await addFolder(engine, 'HR templates', { audience: ['ROLE_HR'], hrTemplates: true })
    for (const { name, label, lines } of DEMO_HR_TEMPLATES)
      await addFile(engine, 'admin.brick', { name, label, folder: templates, bytes: renderPlainPdf(lines) })
    const hours = { name: 'hours-february.csv', label: '', folder: null, bytes: Buffer.from(HOURS) }
    await addFile(engine, 'admin.brick', hours)
  },
}

const addFolder = (
  engine: Engine,
  name: string,
  more: { audience?: string[]; downloads?: boolean; hrTemplates?: boolean } = {},
) =>
  seedAsUser(engine, { clientId: CLIENT, username: 'admin.brick' }, async (c) => {
    const made = await c.create(documentFolder, { name, audience: [], ...more })
    return (await made.saved()).id
  })

interface Upload {
  readonly name: string
  readonly label: string
  readonly folder: number | null
  readonly bytes: Buffer
  readonly expires?: string | null
  /** ID of the file's previous version. */
  readonly replaces?: number
}

async function addFile(engine: Engine, username: string, { name, bytes, replaces, ...more }: Upload): Promise<number> {
  const { label, folder, expires = null } = more
  return seedFile(engine, { clientId: CLIENT, username }, { name, bytes }, async (c, kept) => {
    const made = replaces
      ? await addFileVersion(c, await c.lock(uploadedDocument, replaces), { ...kept, expires })
      : await c
          .withoutPermissionCheck('create a record together with its upload')
          .create(uploadedDocument, { ...kept, label, folder, expires, userId: c.actor.userId })
    return (await made.saved()).id
  })
}

export const seeds = [filesPart]
