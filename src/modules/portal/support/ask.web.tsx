import { Button } from '@mantine/core'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { useMe } from '#web/api/me.ts'
import { ResourceForm } from '#web/forms/resource-form.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { toast } from '#web/ui/toast.ts'
import { SupportRequests } from './asked.web.tsx'
import { supportTicket } from './ticket.ts'

/** Dialog for a question to the provider's support. `?ask=` opens it with the failed screen and its request ID. */
export function AskSupport() {
  const me = useMe()
  const [query, setQuery] = useSearchParams()
  const [asked, setAsked] = useState(false)
  const open = asked || query.has('ask')
  const close = () => {
    setAsked(false)
    setQuery(
      (now) => {
        for (const name of ['ask', 'page', 'reference']) now.delete(name)
        return now
      },
      { replace: true },
    )
  }
  return (
    <>
      <Button variant="default" onClick={() => setAsked(true)}>
        Contact support
      </Button>
      <Dialog opened={open} onClose={close} title="Contact support">
        <ResourceForm
          resource={supportTicket}
          fields={['subject', 'message', 'email', 'page', 'reference']}
          defaults={{ email: me.email ?? '', page: query.get('page') ?? '', reference: query.get('reference') ?? '' }}
          action="Send"
          onCancel={close}
          onSaved={() => {
            close()
            toast.saved('question to support')
          }}
        />
      </Dialog>
      <SupportRequests />
    </>
  )
}
