import { expect, test } from 'vitest'
import { incidentStatementRequest } from '#modules/incidents/people/statement-request.ts'
import { testPortal } from '#test/support/portal.ts'
import { makeRiddorHelpers } from '#test/support/riddor.ts'
import { mailMessage } from './message.ts'

const portal = await testPortal()
const { report, post, world } = makeRiddorHelpers(portal)
const MESSAGES = mailMessage.url

test('an e-mail about a record, its answer and the answer’s files are visible only to readers of the record', async () => {
  const { client, api, approver } = await world()
  const incident = await post(api, report(2, [{ recordType: 'WT', name: 'Sam Reed' }]))
  const asked = { person: incident.personnel[0]['@id'], email: 'sam@reed.example' }
  const { body: request } = await api.post(incidentStatementRequest.url, asked)
  await portal.drain()
  const [sent] = (await api.get(`${MESSAGES}?about=${request['@id']}`)).body['hydra:member']
  await portal.db.tx('system', (tx) =>
    tx.rows(
      `WITH answer AS (
         INSERT INTO message (client_id, recipient, sender, subject, body, state, incoming, kind, about, answer_to, created_at)
         SELECT client_id, 'portal@portal.example', recipient, 'Re: ' || subject, 'I saw Ann fall', 'received', true, 'answer', about, id, portal_now()
         FROM message WHERE client_id = $1 AND id = $2 RETURNING client_id, id)
       INSERT INTO mail_attachment (client_id, message_id, name, type, size, file_key, checksum)
       SELECT client_id, id, 'ward 7.txt', 'text/plain', 3, 'x', 'y' FROM answer`,
      [client.id, sent.id],
    ),
  )
  const [answer] = (await api.get(`${MESSAGES}?answerTo=${sent.id}`)).body['hydra:member']
  const [file] = (await api.get('/api/email/attachments')).body['hydra:member']
  expect([answer.sender, answer.about, file.name]).toEqual(['sam@reed.example', request['@id'], 'ward 7.txt'])
  for (const one of [sent, answer, file]) {
    expect((await api.get(one['@id'])).status).toBe(200)
    expect((await approver.get(one['@id'])).status).toBe(404)
  }
  for (const list of [MESSAGES, '/api/email/attachments'])
    for (const query of ['', `?about=${request['@id']}`, '?recipient=sam', '?q=Sam', '/export.csv']) {
      const { status, text } = await approver.get(`${list}${query}`)
      expect([status, /sam@reed|Ann fall|Re: |ward 7/.test(text)]).toEqual([200, false])
    }
  expect((await approver.get(MESSAGES)).body['hydra:totalItems']).toBe(0)
  expect((await approver.post(`/api/email/message/resend/${sent.id}`)).status).toBe(404)
})
