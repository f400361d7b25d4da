import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { REPORTING_BENCH_USERS } from './incidents-data.ts'
import { type BenchSystem, signInToClient } from './systems.ts'

const REPORTS = '/api/safety/incident_reports'
const PHOTOS = 5
/** Size of a photo of 12 megapixels, in pixels. */
const [PHOTO_WIDTH, PHOTO_HEIGHT] = [4000, 3000]
const GROWTH_GOAL_MIB = 64
const SAMPLE_MS = 50
/** Milliseconds after the last report until the memory is measured again. */
const REST_MS = 15_000

/** Memory of a process in MiB; 0 if it has ended. */
function readMemoryMib(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

/** Memory of a server in MiB, and of the processes that it started, for example to decode pictures. */
export function readServerMemory(pid: number): { readonly server: number; readonly others: number } {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) => {
    try {
      return readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean)
    } catch {
      // The thread has ended.
      return []
    }
  })
  return {
    server: readMemoryMib(pid),
    others: children.reduce((sum, child) => sum + readMemoryMib(Number(child)), 0),
  }
}

const makePhoto = () =>
  sharp({
    create: {
      width: PHOTO_WIDTH,
      height: PHOTO_HEIGHT,
      channels: 3,
      background: '#888',
      noise: { type: 'gaussian', mean: 128, sigma: 20 },
    },
  })
    .blur(2)
    .jpeg({ quality: 85 })
    .toBuffer()

/** Uploads photos, one after the other, and reports an incident with them, as the phone form does. */
async function report(base: string, headers: Record<string, string>, photo: Buffer): Promise<void> {
  const json = async (path: string, init: RequestInit) => {
    const answer = await fetch(base + path, { method: 'POST', ...init })
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as { '@id': string }
  }
  const files: string[] = []
  for (let n = 0; n < PHOTOS; n++) {
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array(photo)], { type: 'image/jpeg' }), `photo-${n}.jpg`)
    files.push((await json(`${REPORTS}/files`, { headers, body: form }))['@id'])
  }
  await json(REPORTS, {
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({
      state: 'reported',
      description: 'Slipped on a wet floor beside the mixer',
      datetime: Temporal.Now.instant().subtract({ hours: 1 }).toString(),
      internalLocation: 'Bay 3',
      files,
    }),
  })
}

/** Measures the memory of the portal while many people report an incident with photos at once. */
export async function measureMemory(
  { base, process: server }: Pick<BenchSystem, 'base' | 'process'>,
  clientId: number,
  reporters: number,
): Promise<void> {
  const pid = server.pid ?? 0
  const photo = await makePhoto()
  const signedIn: Record<string, string>[] = []
  for (const user of REPORTING_BENCH_USERS.slice(0, reporters))
    signedIn.push(await signInToClient(base, user, clientId))
  // Loads the code for pictures.
  await report(base, signedIn[0] ?? {}, photo)
  await sleep(REST_MS)
  const before = readServerMemory(pid)
  const peak = { ...before }
  const sampling = setInterval(() => {
    const { server: own, others } = readServerMemory(pid)
    peak.server = Math.max(peak.server, own)
    peak.others = Math.max(peak.others, others)
  }, SAMPLE_MS)
  const began = performance.now()
  await Promise.all(signedIn.map((headers) => report(base, headers, photo)))
  const seconds = (performance.now() - began) / 1000
  clearInterval(sampling)
  await sleep(REST_MS)
  const growth = peak.server - before.server
  const figures = [seconds, before.server, peak.server, readServerMemory(pid).server, before.others, peak.others]
  console.log(
    `\n| ${reporters} reporters with ${PHOTOS} photos each | seconds | server before, MiB | largest | 15 s later | its other processes before | largest | growth of the server | goal |\n${'|---'.repeat(9)}|`,
  )
  console.log(
    `| ${(photo.length / 1e6).toFixed(1)} MB a photo | ${figures.map((n) => n.toFixed(0)).join(' | ')} | **${growth.toFixed(0)}**${growth <= GROWTH_GOAL_MIB ? '' : ' (short)'} | ≤ ${GROWTH_GOAL_MIB} |`,
  )
}
