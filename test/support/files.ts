import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { type TestApi, type TestClient, type TestUser, testPortal } from './portal.ts'
import { makeUploadForm } from './uploads.ts'

export interface TestFileClient {
  readonly client: TestClient
  readonly admin: TestFileUser
  readonly worker: TestFileUser
}
export interface TestFileUser {
  readonly api: TestApi
  readonly user: TestUser
  readonly bytes: (url: string, headers?: Record<string, string>) => Promise<TestFileResponse>
}
export interface TestFileResponse {
  readonly status: number
  readonly headers: Record<string, unknown>
  readonly body: Buffer
}

/**
 * Makes a portal with a separate file folder. Also returns functions that create users, or a company with an
 * administrator and a worker, and one that lists a client's stored files.
 */
export async function makeFilePortal(settings: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'files-test-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const portal = await (await testPortal()).with({ DATA_DIR: folder, FILES_MAX_MB: '1', ...settings })

  async function person(client: TestClient, ...roles: string[]): Promise<TestFileUser> {
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

  async function office(): Promise<TestFileClient> {
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

/** Uploads a file to the user's client, as a browser does. */
export const uploadFile = (
  { api, user }: TestFileUser,
  content: Buffer | string,
  name: string,
  texts: Record<string, string> = {},
  headers: Record<string, string> = {},
) => {
  const sent = makeUploadForm(content, name, texts)
  return api.send('POST', `/api/safety/uploads/${user.clientId}`, {
    ...sent,
    headers: { ...sent.headers, ...headers },
  })
}

/** Uploads a new version of a file as a browser does. */
export const uploadFileVersion = (
  { api }: TestFileUser,
  of: string,
  content: Buffer | string,
  name: string,
  texts: Record<string, string> = {},
) => api.send('POST', `${of}/versions`, makeUploadForm(content, name, texts))

/** Creates a folder; by default, everybody in the company can read it. */
export const createFolder = async (
  { api }: TestFileUser,
  name: string,
  parent?: string,
  audience: readonly string[] = [],
) => (await api.post('/api/safety/document_folders', { name, audience, ...(parent ? { parent } : {}) })).body
