//! Nodes of a cluster, made by `.ci/citus-cluster`, and servers of the program that use them.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use diesel::QueryableByName;
use diesel::sql_types::{BigInt, Text};
use diesel_async::{AsyncPgConnection, RunQueryDsl, SimpleAsyncConnection};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use pippost::store::{Address, database};
use tempfile::TempDir;

use crate::network::Machine;
use support::port::free_port;
use support::program::program;

/// How long a node may take to end.
const KILL_TIMEOUT: Duration = Duration::from_secs(20);

const DATABASE: &str = "pippost";

/// Whom the program is to PostgreSQL: the owner of its database, and no superuser.
const ROLE: &str = "pippost";

/// The folder of the archive, in that of the cluster.
const ARCHIVE: &str = "archive";

/// What a command has printed, of one that succeeded.
pub fn succeed(command: &mut Command) -> String {
    let output = command.stdin(Stdio::null()).output().expect("a program");
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{command:?}: {}{}", said(&output.stdout), said(&output.stderr));
    said(&output.stdout)
}

/// A coordinator and workers, stopped on drop.
pub struct Cluster {
    folder: TempDir,
    /// The first is the coordinator's.
    pub ports: Vec<u16>,
    /// The machine of one worker, and that worker's port; all others are on this one.
    machine: Option<(Machine, u16)>,
}

impl Cluster {
    /// A distributed, empty database on a coordinator and so many workers, each with these lines of configuration more.
    pub async fn start(workers: usize, configuration: &str) -> Self {
        let cluster = Self::plain(workers, configuration).await;
        cluster.distribute();
        cluster
    }

    /// The same, with the second of two workers on a machine of its own.
    pub async fn start_with(machine: Machine) -> Self {
        let cluster = Self::make(2, "", Some(machine)).await;
        cluster.distribute();
        cluster
    }

    /// A database that is not distributed yet.
    pub async fn plain(workers: usize, configuration: &str) -> Self {
        Self::make(workers, configuration, None).await
    }

    async fn make(workers: usize, configuration: &str, machine: Option<Machine>) -> Self {
        let folder = tempfile::Builder::new().prefix("pippost").tempdir_in("/var/tmp").expect("a folder");
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).expect("an open folder");
        fs::create_dir(folder.path().join(ARCHIVE)).expect("a folder");
        let ports: Vec<u16> = (0..=workers).map(|_| free_port()).collect();
        let machine = machine.zip(ports.last().copied());
        let cluster = Self { folder, ports, machine };
        for port in &cluster.ports {
            cluster.script("init", *port);
            cluster.configure(*port, configuration);
            cluster.configure_network(*port);
            cluster.script("start", *port);
            cluster.make_database(*port).await;
        }
        let (coordinator, workers) = cluster.ports.split_first().expect("a coordinator");
        let host = cluster.host(*coordinator);
        cluster.sql(&format!("select citus_set_coordinator_host('{host}', {coordinator})")).await;
        for worker in workers {
            cluster.add_node(*worker).await;
        }
        let migrated = cluster.run(&["migrate"]);
        assert!(migrated.status.success(), "{}", String::from_utf8_lossy(&migrated.stderr));
        cluster
    }

    pub fn distribute(&self) {
        let done = self.run(&["distribute", "--yes"]);
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    }

    /// A further node with an empty database, which the cluster does not know yet.
    pub async fn new_node(&mut self) -> u16 {
        let port = free_port();
        self.script("init", port);
        self.script("start", port);
        self.ports.push(port);
        self.make_database(port).await;
        port
    }

    /// Makes a node known to the cluster.
    pub async fn add_node(&self, port: u16) {
        self.sql(&format!("select citus_add_node('{}', {port})", self.host(port))).await;
    }

    /// Where the other nodes, and this test, find a node.
    fn host(&self, port: u16) -> String {
        match self.machine_of(port) {
            Some(machine) => machine.address(),
            None => {
                self.machine.as_ref().map_or("127.0.0.1".to_owned(), |(machine, _)| machine.host_address())
            }
        }
    }

    /// The machine on which a node runs, unless that is this one.
    fn machine_of(&self, port: u16) -> Option<&Machine> {
        self.machine.as_ref().filter(|(_, there)| *there == port).map(|(machine, _)| machine)
    }

    /// With a machine beside this one, all nodes meet on the network between both.
    fn configure_network(&self, port: u16) {
        if self.machine.is_none() {
            return;
        }
        let host = self.host(port);
        let lines = format!("listen_addresses = '127.0.0.1,{host}'\ncitus.local_hostname = '{host}'\n");
        self.configure(port, &lines);
        append(&self.data(port).join("pg_hba.conf"), "host all all samenet trust\n");
    }

    /// The machine beside this one.
    pub fn machine(&self) -> &Machine {
        &self.machine.as_ref().expect("a machine").0
    }

    async fn make_database(&self, port: u16) {
        let mut maintenance = self.open(port, "postgres").await;
        for statement in
            [format!("create role {ROLE} login"), format!("create database {DATABASE} owner {ROLE}")]
        {
            maintenance.batch_execute(&statement).await.expect("a database");
        }
        let mut database = self.open(port, DATABASE).await;
        database.batch_execute("create extension citus").await.expect("the extension");
    }

    /// Adds lines to a node's configuration.
    pub fn configure(&self, port: u16, lines: &str) {
        append(&self.data(port).join("postgresql.conf"), lines);
    }

    /// The folder of a node.
    pub fn data(&self, port: u16) -> PathBuf {
        self.folder.path().join(port.to_string())
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    fn script(&self, what: &str, port: u16) {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/.ci/citus-cluster");
        let mut command = match self.machine_of(port) {
            Some(machine) => machine.command(script),
            None => Command::new(script),
        };
        succeed(command.args([what, &port.to_string()]).env("PIPPOST_CITUS_DATA", self.folder.path()));
    }

    pub fn start_node(&self, port: u16) {
        self.script("start", port);
    }

    pub fn stop_node(&self, port: u16) {
        self.script("stop", port);
    }

    /// The processes of a node, its first one first.
    fn processes(&self, port: u16) -> Vec<Pid> {
        let first = fs::read_to_string(self.data(port).join("postmaster.pid")).unwrap_or_default();
        let Some(first) = first.lines().next().and_then(|line| line.parse().ok()) else { return Vec::new() };
        let children = format!("/proc/{first}/task/{first}/children");
        let children = fs::read_to_string(children).unwrap_or_default();
        let children = children.split_whitespace().filter_map(|pid| pid.parse().ok());
        std::iter::once(first).chain(children).map(Pid::from_raw).collect()
    }

    /// Ends all processes of a node at once, as when its machine fails.
    pub fn kill_node(&self, port: u16) {
        let processes = self.processes(port);
        assert!(!processes.is_empty(), "the node runs");
        for process in &processes {
            // One that has ended meanwhile need not be told.
            let _ended = kill(*process, Signal::SIGKILL);
        }
        let begun = Instant::now();
        while processes.iter().any(|process| runs(*process)) {
            assert!(begun.elapsed() < KILL_TIMEOUT, "the node is killed");
            std::thread::yield_now();
        }
        // They name a process that some systems keep as a dead one for long, which PostgreSQL takes for a running server.
        let lock = self.folder.path().join(format!(".s.PGSQL.{port}.lock"));
        for file in [self.data(port).join("postmaster.pid"), lock] {
            fs::remove_file(file).expect("a lock file");
        }
    }

    /// Stops all processes of a node without ending them: it accepts connections and answers none.
    pub fn silence_node(&self, port: u16) {
        let first = *self.processes(port).as_slice().first().expect("the node runs");
        kill(first, Signal::SIGSTOP).expect("a silent node");
        // From now on it has no further children.
        for process in self.processes(port) {
            let _ended = kill(process, Signal::SIGSTOP);
        }
    }

    /// Lets a silent node go on.
    pub fn let_node_go_on(&self, port: u16) {
        for process in self.processes(port).into_iter().rev() {
            let _ended = kill(process, Signal::SIGCONT);
        }
    }

    /// A command that runs PostgreSQL's program as the owner of the nodes.
    pub fn program(&self, name: &str) -> Command {
        let bindir = std::env::var_os("PG_BINDIR").map(PathBuf::from);
        let bindir = bindir.or_else(|| {
            let versions = fs::read_dir("/usr/lib/postgresql").ok()?.filter_map(Result::ok);
            versions.map(|version| version.path().join("bin")).find(|bin| bin.join("initdb").exists())
        });
        let program = bindir.map_or_else(|| name.into(), |bin| bin.join(name));
        if !nix::unistd::geteuid().is_root() {
            return Command::new(program);
        }
        let mut command = Command::new("setpriv");
        command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups"]).arg(program);
        command.current_dir(self.folder.path());
        command
    }

    pub fn url(&self) -> String {
        format!("postgres://{ROLE}@127.0.0.1:{}/{DATABASE}?sslmode=disable", self.ports[0])
    }

    pub async fn connection(&self) -> AsyncPgConnection {
        self.open(self.ports[0], DATABASE).await
    }

    /// A connection of the superuser's to a database of a node.
    async fn open(&self, port: u16, name: &str) -> AsyncPgConnection {
        let url = format!("postgres://postgres@{}:{port}/{name}?sslmode=disable", self.host(port));
        let address = Address::parse(&url, None).expect("an address");
        database::open(&address).await.expect("a connection")
    }

    /// Runs a statement on the coordinator.
    pub async fn sql(&self, statement: &str) {
        let mut connection = self.connection().await;
        connection.batch_execute(statement).await.unwrap_or_else(|error| panic!("{error}: {statement}"));
    }

    /// The `number` that a query answers on a new connection.
    pub async fn number(&self, query: &str) -> i64 {
        number(&mut self.connection().await, query).await
    }

    /// The `line` that a query answers on a node.
    pub async fn line_on(&self, port: u16, query: &str) -> String {
        #[derive(QueryableByName)]
        struct Found {
            #[diesel(sql_type = Text)]
            line: String,
        }
        let mut connection = self.open(port, DATABASE).await;
        let found: Found = diesel::sql_query(query).get_result(&mut connection).await.expect("a line");
        found.line
    }

    /// The port of the node on which a game lives.
    pub async fn node_of(&self, game_id: &str) -> u16 {
        let query = format!(
            "select nodeport::bigint as number from pg_dist_shard_placement \
             where shardid = get_shard_id_for_distribution_column('games', '{game_id}')"
        );
        self.number(&query).await.try_into().expect("a port")
    }

    /// How many shards of games a node has.
    pub async fn shards_on(&self, port: u16) -> i64 {
        let query = format!(
            "select count(*) as number from citus_shards where nodeport = {port} and table_name = 'games'::regclass"
        );
        self.number(&query).await
    }

    /// A command of the program on the coordinator; each name has its own data folder, and all share the keys and the archive.
    pub fn command(&self, name: &str, arguments: &[&str]) -> Command {
        let mut command = program(self.folder.path(), name, &self.url(), arguments);
        command.env("PIPPOST_ARCHIVE", self.archive());
        command
    }

    /// Where finished games may be moved.
    pub fn archive(&self) -> String {
        format!("file:{}", self.folder.path().join(ARCHIVE).display())
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        self.command("command", arguments).output().expect("the program")
    }

    /// Checks all games against their events.
    pub fn audit(&self) {
        let audit = self.run(&["audit"]);
        let said = String::from_utf8_lossy(&audit.stdout).into_owned();
        assert!(audit.status.success(), "{said}{}", String::from_utf8_lossy(&audit.stderr));
        println!("{said}");
    }
}

/// The `number` that a query answers.
pub async fn number(connection: &mut AsyncPgConnection, query: &str) -> i64 {
    #[derive(QueryableByName)]
    struct Found {
        #[diesel(sql_type = BigInt)]
        number: i64,
    }
    let found: Found = diesel::sql_query(query).get_result(connection).await.expect("a number");
    found.number
}

impl Drop for Cluster {
    fn drop(&mut self) {
        for port in &self.ports {
            for process in self.processes(*port) {
                let _ended = kill(process, Signal::SIGKILL);
            }
        }
    }
}

/// Whether a process is there and not dead already.
fn runs(process: Pid) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    status.rsplit_once(") ").is_some_and(|(_, state)| !state.starts_with('Z'))
}

fn append(file: &Path, lines: &str) {
    let text = fs::read_to_string(file).expect("a configuration");
    fs::write(file, text + lines).expect("a configuration");
}

/// A running `pippost serve`.
pub struct Server {
    pub url: String,
    child: Child,
}

impl Server {
    pub fn start(cluster: &Cluster, name: &str) -> Self {
        let address = format!("127.0.0.1:{}", free_port());
        let mut command = cluster.command(name, &["serve", "--listen", &address, "--log", "warn"]);
        for limit in ["PIPPOST_REQUESTS_OF_A_TOKEN", "PIPPOST_REQUESTS_OF_A_PEER"] {
            command.env(limit, "1000000");
        }
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the program");
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        assert_eq!(lines.next().expect("a line").expect("text"), "pippost is ready.");
        std::thread::spawn(move || lines.count());
        Self { url: format!("http://{address}"), child }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let pid = Pid::from_raw(i32::try_from(self.child.id()).expect("a pid"));
        let _ended = kill(pid, Signal::SIGTERM);
        let _ended = self.child.wait();
    }
}
