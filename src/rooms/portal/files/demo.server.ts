import { Readable } from 'node:stream'
import { readConfig } from '#server/config.ts'
import type { Tx } from '#server/db/db.ts'
import { discard, receive } from '#server/files/receive.ts'
import { storeOf } from '#server/files/store.ts'
import { PICTURES, plainPdf } from './demo-content.server.ts'
import { keep } from './keep.server.ts'

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
export async function filesDemo(tx: Tx): Promise<void> {
  const { default: sharp } = await import('sharp')
  const folder = async (name: string) =>
    (
      await tx.rows<{ id: number }>('INSERT INTO document_folder (client_id, name) VALUES ($1, $2) RETURNING id', [
        CLIENT,
        name,
      ])
    )[0]?.id ?? null
  const photos = await folder('Site photos')
  const inductions = await folder('Inductions')
  for (const [name, label, svg] of PICTURES)
    await add(tx, name, label, photos, 'worker.brick', await sharp(Buffer.from(svg)).jpeg().toBuffer())
  await add(tx, 'site-induction.pdf', 'Induction for Kelham Yard', inductions, 'admin.brick', INDUCTION)
  await add(tx, 'hours-february.csv', '', null, 'admin.brick', Buffer.from(HOURS))
}

async function add(tx: Tx, name: string, label: string, folder: number | null, by: string, bytes: Buffer) {
  const file = { name, ...(await receive(Readable.from([bytes]), bytes.length)) }
  try {
    const v = await keep(await storeOf(readConfig(process.env)), CLIENT, file, [])
    await tx.rows(
      `INSERT INTO uploaded_document (client_id, name, label, folder_id, type, size, width, height, checksum, author, user_id, file_key, view_key, view_type, view_size, thumbnail_key)
       SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, u.username, u.id, $10, $11, $12, $13, $14 FROM user_account u WHERE u.client_id = $1 AND u.username = $15`,
      [
        CLIENT,
        name,
        label,
        folder,
        v.type,
        v.size,
        v.width,
        v.height,
        v.checksum,
        v.fileKey,
        v.viewKey,
        v.viewType,
        v.viewSize,
        v.thumbnailKey,
        by,
      ],
    )
  } finally {
    await discard(file)
  }
}
