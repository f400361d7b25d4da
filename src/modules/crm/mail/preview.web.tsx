import { Alert, Text } from '@mantine/core'

/** A merged e-mail for its recipient, from the API. */
export interface MailPreview {
  readonly recipient: string
  readonly subject: string
  readonly body: string
  readonly missing: readonly string[]
  readonly suppressed: boolean
}

/** The text of an e-mail. */
export function MailPreviewText({ of: seen }: { readonly of: MailPreview }) {
  return (
    <>
      {seen.suppressed && <Alert color="yellow">{seen.recipient} has opted out of e-mails.</Alert>}
      <section aria-label="E-mail preview">
        <Text size="sm" fw={650}>
          To {seen.recipient || 'nobody: there is no e-mail address'} · {seen.subject}
        </Text>
        <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
          {seen.body}
        </Text>
      </section>
    </>
  )
}
