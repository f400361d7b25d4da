import { Text } from '@mantine/core'
import { useState } from 'react'
import { useParams } from 'react-router'
import { ReadAndSign } from '#modules/documents/signing/link-form.web.tsx'
import { buildDocumentTypeComponents } from '#modules/documents/types/kind.web.ts'
import { formatIsoAsUkDate } from '#web/dates/uk-dates.ts'
import { PublicLinkPage } from '#web/shell/pages/link-page.tsx'
import type { SharedTalk } from '../talk-links/talk-link.ts'
import talkScreens from './toolbox-talk.web.tsx'

const PARTS = buildDocumentTypeComponents(talkScreens, [])

/** Public page for the link of a talk, which needs no sign-in: the talk is read, then signed by hand. */
export default function TalkSigningPage() {
  const { token = '' } = useParams()
  const at = `/api/safety/shared_talks/${token}`
  return (
    <PublicLinkPage<SharedTalk>
      at={at}
      title="Toolbox talk"
      titleOf={({ talk }) => talk?.title}
      closedTitle="This talk can’t be signed"
      narrow
    >
      {(shared) => <TalkToSign key={token} at={at} token={token} shared={shared} />}
    </PublicLinkPage>
  )
}

interface Props {
  readonly at: string
  readonly token: string
  readonly shared: SharedTalk
}

/**
 * The talk as it was opened. It remains on the screen while it is signed, so that a drawing isn't lost when the link is
 * withdrawn.
 */
function TalkToSign({ at, token, shared: { talk: latest, company } }: Props) {
  const [talk, setTalk] = useState(latest)
  if (latest && latest !== talk) setTalk(latest)
  if (!talk) return null
  return (
    <>
      <Text>
        {`Presented by ${talk.presenter} on ${formatIsoAsUkDate(talk.date)}. This link works until the end of ${formatIsoAsUkDate(talk.until)}.`}
      </Text>
      <ReadAndSign
        at={at}
        token={token}
        parts={PARTS}
        document={talk.id}
        called="the talk"
        statement={`I have read and understood the toolbox talk “${talk.title}”.`}
        company={company}
        people={talk.people}
        pinKey={talk.pinKey}
        asksTrade
        body={() => ({ talk: talk.id, read: true })}
      />
    </>
  )
}
