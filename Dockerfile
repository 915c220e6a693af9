# An image of the server; docs/containers.md says how to use it.

FROM python:3.13-slim-trixie AS build
WORKDIR /build
COPY constraints.txt ./
# The releases that this version was tested with, each verified by its hash.
RUN python -m venv --without-pip /opt/chat \
    && pip --python /opt/chat/bin/python install --no-cache-dir --require-hashes --requirement constraints.txt
COPY . .
# The commit, which `chatcore --version` names: no history gets into the build.
ARG REVISION=
RUN if [ -n "$REVISION" ]; then echo "$REVISION" > chatcore/commit.txt; fi
RUN pip wheel --no-cache-dir --no-deps --wheel-dir wheels . \
    && pip --python /opt/chat/bin/python install --no-cache-dir --no-deps wheels/*.whl

FROM python:3.13-slim-trixie
# Programs for backups; they must not be older than the server. Debian keeps no release of them for long.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends postgresql-client-17 \
    && rm -rf /var/lib/apt/lists/*
RUN groupadd --gid 1000 chat \
    && useradd --uid 1000 --gid chat --home-dir /data --no-create-home --shell /usr/sbin/nologin chat \
    && install --directory --owner=chat --group=chat --mode=700 /data /backups
COPY --from=build /opt/chat /opt/chat
# The labels come after what changes with them: Podman 4 takes a LABEL of the last build, whatever its arguments are.
ARG VERSION=unknown
ARG REVISION=unknown
LABEL org.opencontainers.image.title="chatcore" \
    org.opencontainers.image.description="A team chat server that is also a Python library" \
    org.opencontainers.image.licenses="Apache-2.0" \
    org.opencontainers.image.version="$VERSION" \
    org.opencontainers.image.revision="$REVISION"
ENV PATH=/opt/chat/bin:$PATH CHATCORE_HOST=0.0.0.0 CHATCORE_PORT=9991
USER 1000:1000
WORKDIR /data
VOLUME /data
EXPOSE 9991
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=10s --start-period=2m CMD ["python", "-c", "\
import http.client, os, sys; \
server = http.client.HTTPConnection('127.0.0.1', int(os.environ['CHATCORE_PORT']), timeout=5); \
server.request('GET', '/ready'); \
sys.exit(server.getresponse().status != 200)"]
ENTRYPOINT ["chatcore"]
CMD ["serve"]
