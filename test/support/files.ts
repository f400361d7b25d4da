import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { type Api, type TestClient, type TestUser, testPortal } from './portal.ts'
import { form } from './uploads.ts'

export interface Office {
  readonly client: TestClient
  readonly admin: Person
  readonly worker: Person
}
export interface Person {
  readonly api: Api
  readonly user: TestUser
  readonly bytes: (url: string, headers?: Record<string, string>) => Promise<Bytes>
}
export interface Bytes {
  readonly status: number
  readonly headers: Record<string, unknown>
  readonly body: Buffer
}

/** A portal with its own file folder, and the offices that use it. */
export async function filePortal(settings: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'files-test-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const portal = await (await testPortal()).with({ DATA_DIR: folder, FILES_MAX_MB: '1', ...settings })

  async function person(client: TestClient, ...roles: string[]): Promise<Person> {
    const user = await client.user({ roles })
    const { token } = await portal.sessions.open(
      { clientId: client.id, userId: user.id },
      { address: '127.0.0.1', agent: 'test', browser: false },
    )
    return {
      api: client.as(user),
      user,
      bytes: async (url, headers = {}) => {
        const answer = await portal.app.inject({ url, headers: { authorization: `Bearer ${token}`, ...headers } })
        return { status: answer.statusCode, headers: answer.headers, body: answer.rawPayload }
      },
    }
  }

  async function office(): Promise<Office> {
    const client = await portal.client()
    return { client, admin: await person(client, 'ROLE_CLIENT_ADMIN'), worker: await person(client, 'ROLE_EMPLOYEE') }
  }

  const stored = (client: TestClient) => {
    try {
      return readdirSync(join(folder, 'files', String(client.id))).sort()
    } catch {
      return []
    }
  }
  return { portal, folder, person, office, stored }
}

/** Uploads a file as a browser does, to the client of the person. */
export const upload = (
  { api, user }: Person,
  content: Buffer | string,
  name: string,
  texts: Record<string, string> = {},
  headers: Record<string, string> = {},
) => {
  const sent = form(content, name, texts)
  return api.send('POST', `/api/safety/uploads/${user.clientId}`, {
    ...sent,
    headers: { ...sent.headers, ...headers },
  })
}

/** Uploads a new version of a file as a browser does. */
export const uploadVersion = (
  { api }: Person,
  of: string,
  content: Buffer | string,
  name: string,
  texts: Record<string, string> = {},
) => api.send('POST', `${of}/versions`, form(content, name, texts))

/** Creates a folder, readable by everybody of the company by default. */
export const newFolder = async ({ api }: Person, name: string, parent?: string, audience: readonly string[] = []) =>
  (await api.post('/api/safety/document_folders', { name, audience, ...(parent ? { parent } : {}) })).body
