import { PROVIDER } from '#kernel/roles.ts'
import { useActor } from '#web/api/me.ts'
import { Page } from '#web/ui/page.tsx'
import { Papers } from './papers.web.tsx'

/** PDF layout: a company's own, or, for the provider, the defaults of all companies. */
export default function SystemPdf() {
  const isProvider = useActor().clientId === PROVIDER
  return (
    <Page
      title="Papers"
      about={
        isProvider
          ? 'The lines that you say here are printed for every company that has none of its own; the logo stands on your own papers alone. Papers that are finished stay as they were.'
          : 'What stands on your company’s papers. Papers that are finished stay as they were.'
      }
    >
      <Papers />
    </Page>
  )
}
