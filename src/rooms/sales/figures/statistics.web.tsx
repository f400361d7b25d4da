import { STATISTICS } from './report.ts'
import { ReportScreen } from './report.web.tsx'

export default () => <ReportScreen report={STATISTICS} />
