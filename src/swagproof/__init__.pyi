"""What `swagproof` exports, for type checkers: the same as its table of places."""

from swagproof.models.fifo import Fifo as Fifo
from swagproof.models.monoid import Monoid as Monoid
from swagproof.models.monoid import broken_law as broken_law
from swagproof.models.operations import OPERATIONS as OPERATIONS
from swagproof.models.operations import Operation as Operation
from swagproof.models.out_of_order import OutOfOrder as OutOfOrder
from swagproof.oracle.adapting.declared import Adapter as Adapter
from swagproof.oracle.domain import Domain as Domain
from swagproof.oracle.domain import domain as domain
from swagproof.oracle.judge import domains_of as domains_of
from swagproof.oracle.judge import judge as judge
from swagproof.oracle.judge import replay as replay
from swagproof.oracle.reports.judgement import Judgement as Judgement
from swagproof.oracle.states.checked import ContractViolation as ContractViolation
from swagproof.oracle.states.checked import checked as checked
from swagproof.oracle.subject import Subject as Subject
from swagproof.oracle.subject import load_subject as load_subject
from swagproof.oracle.subject import subject_of as subject_of
from swagproof.oracle.trace import InputError as InputError
from swagproof.oracle.trace import Trace as Trace
from swagproof.pipeline.api import AuditReport as AuditReport
from swagproof.pipeline.api import AuditViolation as AuditViolation
from swagproof.pipeline.api import ReplayReport as ReplayReport
from swagproof.pipeline.api import ReplayViolation as ReplayViolation
from swagproof.pipeline.api import audit as audit
from swagproof.pipeline.api import replay_recordings as replay_recordings
from swagproof.reference.in_order.daba import Daba as Daba
from swagproof.reference.in_order.daba_lite import DabaLite as DabaLite
from swagproof.reference.in_order.two_stacks import TwoStacks as TwoStacks
from swagproof.reference.in_order.two_stacks_lite import TwoStacksLite as TwoStacksLite
from swagproof.reference.related_work.flat_fit import FlatFit as FlatFit
from swagproof.reference.trees.fiba import Fiba as Fiba
from swagproof.reference.trees.fiba_bulk import BulkFiba as BulkFiba

__all__: tuple[str, ...]
