import { PageTitle } from '#web/shell/PageTitle.tsx'

export default function Dashboard() {
  return <PageTitle>Dashboard</PageTitle>
}
