import { PageTitle } from '#web/shell/PageTitle.tsx'

export default function NewLead() {
  return <PageTitle>New lead</PageTitle>
}
